export { insertBaseStation } from "./store.ts";
