/** The renderers that few pages need, fetched together when the first of them is shown. */
export { Markdown } from '../markdown.tsx'
export { Board } from './board.tsx'
export { Calendar } from './calendar.tsx'
export { Diff } from './diff.tsx'
export { Log } from './log.tsx'
export { Prose } from './prose.tsx'
export { Timeline } from './timeline.tsx'
export { Waterfall } from './waterfall.tsx'
