"""The same checks as filters_scores, on clusters about volumes."""

from tests.vectors.filters_scores import check as check
