"""Settings of property tests: no deadline, since the machine may be busy; many more examples in the long version."""

import os

from hypothesis import settings

settings.register_profile("koord", deadline=None, max_examples=5000 if os.environ.get("KOORD_SOAK") else 100)
settings.load_profile("koord")
