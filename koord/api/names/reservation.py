"""Reservations: keys on pods, Reservation objects and the scheduler's in-memory reserve pods."""

from typing import Final

ANNOTATION_RESERVATION_ALLOCATED: Final = "scheduling.koordinator.sh/reservation-allocated"
ANNOTATION_RESERVATION_AFFINITY: Final = "scheduling.koordinator.sh/reservation-affinity"
ANNOTATION_RESERVATION_RESTRICTED_OPTIONS: Final = "scheduling.koordinator.sh/reservation-restricted-options"
ANNOTATION_EXACT_MATCH_RESERVATION: Final = "scheduling.koordinator.sh/exact-match-reservation"
LABEL_RESERVATION_IGNORED: Final = "scheduling.koordinator.sh/reservation-ignored"
LABEL_PRE_ALLOCATION_REQUIRED: Final = "scheduling.koordinator.sh/pre-allocation-required"
LABEL_RESERVATION_ORDER: Final = "scheduling.koordinator.sh/reservation-order"
LABEL_IS_PRE_ALLOCATABLE: Final = "pod.koordinator.sh/is-pre-allocatable"
ANNOTATION_PRE_ALLOCATABLE_PRIORITY: Final = "pod.koordinator.sh/pre-allocatable-priority"

# On reserve pods, which exist in the scheduler's memory only.
ANNOTATION_RESERVE_POD: Final = "scheduling.koordinator.sh/reserve-pod"
ANNOTATION_RESERVATION_NAME: Final = "scheduling.koordinator.sh/reservation-name"
ANNOTATION_RESERVATION_NODE: Final = "scheduling.koordinator.sh/reservation-node"
ANNOTATION_IS_PRE_ALLOCATION: Final = "scheduling.koordinator.sh/is-pre-allocation"
ANNOTATION_RESERVATION_RESIZE_ALLOCATABLE: Final = "scheduling.koordinator.sh/reservation-resize-allocatable"

# A Pod that is itself a reservation.
LABEL_OPERATING_MODE: Final = "scheduling.koordinator.sh/operating-mode"
ANNOTATION_RESERVATION_OWNERS: Final = "scheduling.koordinator.sh/reservation-owners"
ANNOTATION_RESERVATION_CURRENT_OWNER: Final = "scheduling.koordinator.sh/reservation-current-owner"
