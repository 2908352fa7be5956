export { schemaResolver } from "./resolver.ts";
export { useSchemaForm } from "./useSchemaForm.ts";
