"""Calls back when a module is imported, and imports nothing by itself."""

import importlib.abc
import importlib.util
import sys
import types
import typing


class _Loader(importlib.abc.Loader):
    """Loads as the module's own loader, then tells."""

    def __init__(self, loader, tell):
        self._loader, self._tell = loader, tell

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        self._tell(module)

    def __getattr__(self, name):
        return getattr(self._loader, name)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, name, tell):
        self._name, self._tell = name, tell

    def find_spec(self, fullname, path=None, target=None):
        if fullname != self._name:
            return None
        for finder in sys.meta_path:
            if finder is self:
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = _Loader(spec.loader, self._tell)
                return spec
        return None


def when_imported(
    name: str, tell: typing.Callable[[types.ModuleType], None]
) -> typing.Callable[[], None]:
    """Calls `tell` with the module `name`: at once where it is imported already, else when it is.

    The result takes the request back.
    """
    if name in sys.modules:
        tell(sys.modules[name])
        return lambda: None
    finder = _Finder(name, tell)
    sys.meta_path.insert(0, finder)
    return lambda: sys.meta_path.remove(finder) if finder in sys.meta_path else None
