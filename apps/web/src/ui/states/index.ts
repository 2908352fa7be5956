export { CrashNote, detailsOf } from "./CrashNote.tsx";
export { Boundary } from "./Boundary.tsx";
export { DeniedState, EmptyState, ErrorState, Note } from "./States.tsx";
