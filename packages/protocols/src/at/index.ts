export { atDriver } from "./driver.ts";
