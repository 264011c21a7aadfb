// Starts the console: theme, event stream, the rail at the side, and the view that the address names.

import * as events from "./core/events.js";
import * as router from "./core/router.js";
import * as theme from "./core/theme.js";
import { startKeys } from "./core/keys.js";
import { startRail } from "./views/rail.js";

theme.start();
startRail();
startKeys();
router.start();
events.start();
