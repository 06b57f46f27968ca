#include "runtime/starpu/iteration/link_parcels.h"

#include <utility>

namespace rrfp {
namespace {

const Parcel no_parcel;

}  // namespace

const Parcel& LinkParcels::of(const TaskSite& site, int link) {
    return link < 0 ? no_parcel : site.slot->links[link].handle.cell().parcel();
}

void LinkParcels::keep(const TaskSite& site, Parcel result) {
    if (site.links.output < 0) return;
    LinkSite& output = site.slot->links[site.links.output];
    output.handle.cell().set(std::move(result));
    accounts_.enter(output.link->buffer(), output.handle.cell().bytes());
}

void LinkParcels::arrived(LinkSite& site) {
    accounts_.enter(site.link->buffer(), site.handle.cell().bytes());
}

void LinkParcels::free_inputs(const TaskSite& site) {
    for (const int index : {site.links.input, site.links.gradient}) {
        if (index < 0) continue;
        LinkSite& link = site.slot->links[index];
        if (link.link->last_reader == site.label.task.kind) free(link);
    }
}

void LinkParcels::free(LinkSite& site) {
    accounts_.leave(site.link->buffer(), site.handle.cell().bytes());
    site.handle.cell().clear();
}

}  // namespace rrfp
