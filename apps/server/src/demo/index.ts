export { seedDemo, startDemoPark } from "./demo.ts";
