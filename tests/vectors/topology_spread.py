"""The same checks as filters_scores, on clusters about topology_spread."""

from tests.vectors.filters_scores import check as check
