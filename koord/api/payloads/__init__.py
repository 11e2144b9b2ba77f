"""What stands in labels and annotations: a type, a reader, a writer and the rules for every key, by subject."""
