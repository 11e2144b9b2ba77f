"""The same checks as filters_scores, on clusters about interpod_affinity."""

from tests.vectors.filters_scores import check as check
