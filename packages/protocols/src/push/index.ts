export { readPush, type PushedContent, type PushedItem } from "./readings.ts";
