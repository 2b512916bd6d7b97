/** In plain JavaScript only this check finds a misspelt part; parts that a newer SDK adds are no fault. */
export default {
  id: 'parts-misspelt',
  sdk: '^1.0.0',
  description: 'Has tools of another name.',
  toolz: [{}],
  start: 'at once',
  watchers: [],
}
