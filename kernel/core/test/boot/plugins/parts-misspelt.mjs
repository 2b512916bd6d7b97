/** In plain JavaScript nothing else says that a part is misspelt; what a newer SDK fills in is no fault. */
export default {
  id: 'parts-misspelt',
  sdk: '^1.0.0',
  description: 'Has tools of another name.',
  toolz: [{}],
  start: 'at once',
  watchers: [],
}
