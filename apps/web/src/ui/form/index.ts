export { Conflict, Form } from "./Form.tsx";
export { FormDialog } from "./FormDialog.tsx";
export type { Codes } from "./faults.ts";
export type { Bound, Form as FormState, FormFrame } from "./plan.ts";
export { useForm } from "./useForm.ts";
export { useUnsaved } from "./useUnsaved.ts";
