"""Every label, annotation and resource name of the wire API, one module per subject.

A constant's prefix says what it names: `LABEL_`, `ANNOTATION_`, `RESOURCE_`. Values are wire facts: case matters.
"""
