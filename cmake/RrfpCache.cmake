# Where scripts/setup puts what it builds or downloads. The environment variable RRFP_CACHE moves it.
if(DEFINED ENV{RRFP_CACHE})
  set(_rrfp_cache "$ENV{RRFP_CACHE}")
elseif(DEFINED ENV{HOME})
  set(_rrfp_cache "$ENV{HOME}/.cache/rrfp")
endif()
set(RRFP_CACHE_DIR "${_rrfp_cache}" CACHE PATH "Folder that scripts/setup installs into")
unset(_rrfp_cache)
