/** Prompt for an agent or a skill when its schedule has no text. */
export const SCHEDULED = 'It is time for your scheduled work: do it, and say briefly what you did and what needs somebody’s attention.'
