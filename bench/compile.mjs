// Reads TypeScript as `npm start` builds it. What runs sources elsewhere ties a name to every function that is made, which
// the product does not do, and which costs a tenth of what is measured here.
import { register } from "node:module";

register("./compileHooks.mjs", import.meta.url);
