// The one script: draws figures, keeps live regions fresh, keys, theme, copying. No build step.
import { startCharts } from "./charts.js";
import { startCopying } from "./copy.js";
import { startDropping } from "./dropping.js";
import { startKeyboard } from "./keyboard.js";
import { startLive } from "./live.js";
import { startSwaps } from "./swaps.js";
import { startTheme } from "./theme.js";

startTheme();
startSwaps();
startCharts();
startLive();
startKeyboard();
startCopying();
startDropping();
