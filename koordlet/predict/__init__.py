"""How much of what prod pods request will stay unused: peaks learnt from their history."""
