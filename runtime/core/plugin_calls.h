#pragma once

namespace rrfp {

/// A call into a plugin that is under way on this thread. A process that ends in one (by a signal,
/// or by exit) first tells whose call it was, which nothing else could: the plugin's code runs in
/// this process.
class PluginCall {
  public:
    /// "`whose`: the process ends in `function`"; both outlive the object.
    PluginCall(const char* whose, const char* function);
    ~PluginCall();
    PluginCall(const PluginCall&) = delete;
    PluginCall& operator=(const PluginCall&) = delete;

    /// From now on this process tells. Handlers of the signals SIGSEGV, SIGBUS, SIGFPE, SIGILL and
    /// SIGABRT that were there before are called after it. Where exit is called in a plugin the
    /// process ends with code 1.
    static void tell_of_ends();
};

}  // namespace rrfp
