export { LongList } from "./LongList.tsx";
