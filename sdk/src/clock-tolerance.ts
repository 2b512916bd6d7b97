/** Two clocks of one fleet differ by less, in seconds. A recorded time further ahead was written by a clock that has been set back. */
export const CLOCK_TOLERANCE_SECONDS = 60
