import outgoing from '@gateway/plugin-outgoing'
import signIn from '@gateway/plugin-sign-in'
import { pluginSuite } from '@gateway/testing'
import oauth from '../src/index.ts'

pluginSuite(oauth, { folder: import.meta.dirname, with: [outgoing, signIn] })
