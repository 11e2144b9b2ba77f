//! In-memory time series with windowed aggregates.
