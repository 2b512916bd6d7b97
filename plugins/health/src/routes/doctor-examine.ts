import { closed, type DoctorReport, defineRoute, doctorReportSchema, gatewayDoctor, optional, Type } from '@gateway/sdk'

const { healthy, checks } = doctorReportSchema.properties

/** For a gateway that is part of another program. */
const unexamined: DoctorReport = {
  healthy: true,
  checks: [
    {
      check: 'doctor',
      outcome: 'warn',
      detail: 'nothing was checked: this gateway was not started by the command `gateway start`',
      fix: 'run `gateway doctor` on its machine, with its settings',
    },
  ],
}

export const examineGateway = defineRoute({
  name: 'doctor.examine',
  description:
    'Check the installation, the settings and the data of this gateway. Returns the result of `gateway doctor`: each check, its finding, and the fix. For the operator.',
  capability: 'operator',
  effect: 'read',
  rest: 'GET /api/doctor',
  input: Type.Object({}, closed),
  output: Type.Object({ healthy, checks: Type.Array(Type.Object({ seq: Type.Integer(), ...checks.items.properties }, closed)) }, closed),
  uses: { doctor: optional(gatewayDoctor) },
  async handle(_, { doctor }) {
    const report = doctor ? await doctor.examine() : unexamined
    return { healthy: report.healthy, checks: report.checks.map((check, index) => ({ seq: index + 1, ...check })) }
  },
})
