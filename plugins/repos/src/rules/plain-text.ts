/** A text as a card keeps it: of control characters the tab and the line feed alone. */
export const plainText = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(/[^\P{Cc}\t\n]/gu, ' ')
