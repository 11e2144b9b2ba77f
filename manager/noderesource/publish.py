"""Writing calculated resources into a node object."""

from dataclasses import dataclass

from koord.api.base import ResourceList, replace
from koord.api.core.node import Node
from koord.api.errors import ValidationError
from koord.api.names.node import ANNOTATION_ORIGIN_EXTENDED_ALLOCATABLE
from koord.api.names.resources import RESOURCE_BATCH_CPU, RESOURCE_BATCH_MEMORY, RESOURCE_MID_CPU, RESOURCE_MID_MEMORY
from koord.api.payloads.node import ORIGIN_EXTENDED_ALLOCATABLE, THIRD_PARTY_ALLOCATIONS, OriginAllocatable
from koord.api.qos import PriorityClass
from koord.api.quantity import Quantity
from manager.noderesource.amounts import maximum, subtract
from manager.noderesource.batch import Batch
from manager.noderesource.mid import Mid
from manager.noderesource.normalization import normalized


@dataclass(frozen=True)
class Published:
    """The node with its new values, and what kept the allocations of third parties from being taken off."""

    node: Node
    error: ValidationError | None


def with_mid(node: Node, mid: Mid | None) -> Node:
    """The node with its mid resources; None removes them."""
    amounts = None if mid is None else {RESOURCE_MID_CPU: mid.cpu, RESOURCE_MID_MEMORY: mid.memory}
    return _with_extended(node, (RESOURCE_MID_CPU, RESOURCE_MID_MEMORY), amounts)


def with_batch(node: Node, batch: Batch | None, ratio: float | None) -> Published:
    """The node with its batch resources, less what third parties use of them; None removes them.

    What there was before third parties took their part stands in an annotation, 0 when the resources are removed. A
    node without annotations gets none. An unreadable list of third parties is an error and takes nothing off.
    """
    names = (RESOURCE_BATCH_CPU, RESOURCE_BATCH_MEMORY)
    amounts: ResourceList | None = None
    if batch is not None:
        amounts = {RESOURCE_BATCH_CPU: _rounded_up(normalized(batch.cpu, ratio)), RESOURCE_BATCH_MEMORY: batch.memory}
    published = _with_extended(node, names, amounts)
    if not node.metadata.annotations:
        return Published(published, None)
    origin = {name: _not_negative((amounts or {}).get(name, Quantity(0))) for name in names}
    published = _with_origin(published, origin)
    if amounts is None:
        return Published(published, None)
    try:
        taken = _third_party(node)
    except ValidationError as error:
        return Published(published, error)
    if taken is None:
        return Published(published, None)
    left = {name: amount for name, amount in subtract(origin, taken).items() if name in names}
    return Published(_with_extended(published, names, maximum(left, {name: Quantity(0) for name in names})), None)


def _with_extended(node: Node, names: tuple[str, ...], amounts: ResourceList | None) -> Node:
    capacity = {name: amount for name, amount in node.status.capacity.items() if name not in names}
    allocatable = {name: amount for name, amount in node.status.allocatable.items() if name not in names}
    status = replace(node.status, capacity=capacity | (amounts or {}), allocatable=allocatable | (amounts or {}))
    return replace(node, status=status)


def _with_origin(node: Node, origin: ResourceList) -> Node:
    before, _ = ORIGIN_EXTENDED_ALLOCATABLE.read_or(node.metadata.annotations, node.subject, OriginAllocatable())
    text = ORIGIN_EXTENDED_ALLOCATABLE.format(OriginAllocatable(resources=before.resources | origin))
    annotations = node.metadata.annotations | {ANNOTATION_ORIGIN_EXTENDED_ALLOCATABLE: text}
    return replace(node, metadata=replace(node.metadata, annotations=annotations))


def _third_party(node: Node) -> ResourceList | None:
    """What third parties use of batch resources; None when nobody says so. Raises ValidationError."""
    listed = THIRD_PARTY_ALLOCATIONS.read(node.metadata.annotations, node.subject)
    if listed is None:
        return None
    total: dict[str, Quantity] = {}
    for allocation in listed.allocations:
        if allocation.priority == PriorityClass.BATCH:
            for name, amount in allocation.resources.items():
                total[name] = total[name] + amount if name in total else amount
    return total


def _rounded_up(amount: Quantity) -> Quantity:
    """A node's extended resources are whole; those of zones may have fractions."""
    return Quantity(amount.value(), 0, amount.format)


def _not_negative(amount: Quantity) -> Quantity:
    return amount if amount.sign >= 0 else Quantity(0, 0, amount.format)
