#pragma once

#include <string>

#include "adapters/jobs/surroundings/environment.h"
#include "runtime/mpi/single_copy.h"
#include "runtime/system/fact.h"

namespace rrfp {

/// Sets what mpirun and its ranks need to know of this machine; what the user has set stays.
///
/// | variable                                    | value                                    |
/// |---------------------------------------------|------------------------------------------|
/// | OMPI_MCA_orte_tmpdir_base                   | `folder`                                 |
/// | OMPI_MCA_btl_vader_backing_directory        | `folder`                                 |
/// | OMPI_MCA_osc_sm_backing_directory           | `folder`                                 |
/// | OMPI_MCA_btl                                | self,vader, where all ranks stay here    |
/// | OMPI_MCA_btl_vader_single_copy_mechanism    | none, where processes may not read others|
void set_mpi_variables(ScopedVariables& variables, const std::string& folder, bool single_copy,
                       bool one_node);

/// Whether the ranks of this machine may talk through its memory, by the user's OMPI_MCA_btl.
Fact examine_transports();

}  // namespace rrfp
