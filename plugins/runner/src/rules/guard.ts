/**
 * Shell script around every command of a run; it leads the process group. File 3 is a pipe that the runner holds open: when the
 * runner dies, however it dies, the watcher reads the end of the pipe and kills the group. `trap` keeps the shell alive while
 * a command that was asked to end still cleans up.
 */
export const GUARD = `trap : TERM
( trap - TERM; exec >/dev/null 2>&1; read -r never <&3; kill -KILL 0 ) &
"$@" 3<&- <"$GATEWAY_RUN_INPUT"
exit $?`
