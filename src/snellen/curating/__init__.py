"""`snellen curate`: reads matrices, runs and benchmarks, calls the pure passes, writes plans, subsets and reports."""
