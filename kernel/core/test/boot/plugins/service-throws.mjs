import { definePlugin, defineService, provideProcess } from '@gateway/sdk'

function create() {
  throw new Error('no printer')
}

export default definePlugin({
  id: 'service-throws',
  sdk: '^1.0.0',
  description: 'Cannot make its service.',
  provides: [provideProcess(defineService('service-throws.printer', 'process'), { create })],
})
