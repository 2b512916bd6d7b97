import type { TaskDraft } from '@gateway/plugin-tasks/api'
import { cutText } from '@gateway/sdk'
import type { PlanDay } from '../schema.ts'

const MAX_TITLE = 500

/** The task of a day: its focus is the title, and the description too if it is too long for a title. */
export function draftOf({ planDayId, repo, day, focus }: PlanDay): TaskDraft {
  const text = focus.trim()
  const title = text === '' ? `Day ${day} of the plan of ${repo}` : cutText(text, MAX_TITLE)
  return { repo, title, ...(title.length < text.length && { description: text }), source: 'scheduler', sourceId: planDayId }
}
