/** What an agent or a skill is told by a schedule that says nothing itself. */
export const SCHEDULED = 'It is time for your scheduled work: do it, and say briefly what you did and what needs somebody’s attention.'
