import entitlements from '@gateway/plugin-entitlements'
import outgoing from '@gateway/plugin-outgoing'
import { pluginSuite } from '@gateway/testing'
import signIn from '../src/index.ts'

pluginSuite(signIn, { folder: import.meta.dirname, with: [outgoing, entitlements] })
