export { Skeleton, useLate } from "./Skeleton.tsx";
