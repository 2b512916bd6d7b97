/**
 * Returns the report with a section that was measured by itself: it replaces the section of the same heading, or comes last. A text
 * without a heading gets `title`.
 */
export function withSection(report: string, text: string, title: string, where: string): string {
  const headed = text.startsWith('## ') ? text : `## ${title}\n\n${text}`
  const [heading = '', ...body] = headed.split('\n')
  const section = `${heading}\n\nMeasured by itself: ${where}.\n${body.join('\n').trimEnd()}\n`
  const sections = report.trimEnd().split(/\n(?=## )/)
  const at = sections.findIndex((one) => one.startsWith(`${heading}\n`))
  return `${(at === -1 ? [...sections, section] : sections.with(at, section)).map((one) => one.trimEnd()).join('\n\n')}\n`
}
