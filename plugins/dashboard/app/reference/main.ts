/** The viewer of the API: a script before this one defines SwaggerUIBundle. */
type Viewer = (options: object) => unknown
declare const SwaggerUIBundle: Viewer

SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  docExpansion: 'none',
  // Models are shown with their operations; the list of all would be longer than the page.
  defaultModelsExpandDepth: -1,
  defaultModelRendering: 'example',
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // A key that is typed in is forgotten with the page.
  persistAuthorization: false,
  // The validator on the internet is not asked.
  validatorUrl: null,
})
