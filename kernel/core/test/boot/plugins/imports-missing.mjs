import 'a-package-nobody-has'

export default {}
