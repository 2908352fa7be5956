export { createPartitions, makeAhead, TooManyPartitions, type Partitions } from "./partitions.ts";
export { partitionsOf, type Partition } from "./store.ts";
export { partitionedTable, partitionedTables, type PartitionedTable, type Retention } from "./tables.ts";
export { dropExpired, makeAllAhead, tendAlone, type Tended } from "./tend.ts";
