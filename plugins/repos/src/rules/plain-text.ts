/** Converts a text to the form a card keeps: tab and line feed are the only control characters. */
export const plainText = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(/[^\P{Cc}\t\n]/gu, ' ')
