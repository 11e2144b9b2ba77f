"""The types of the API: declared once, used for decoding, for validation and for the CRDs' schemas."""
