#include "adapters/command/command.h"

int main(int argc, char** argv) { return rrfp::run_command(argc, argv, rrfp::make_gpt_trainer); }
