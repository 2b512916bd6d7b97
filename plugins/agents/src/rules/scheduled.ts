export const SCHEDULED = 'It is time for your scheduled work: do it, and say briefly what you did and what needs somebody’s attention.'
