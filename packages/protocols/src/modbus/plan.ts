import { registersOf, type RegisterRow, type RegisterTable } from "./registers.ts";

/** One read: a contiguous run of registers, and its rows. */
export interface Block {
  readonly table: RegisterTable;
  readonly address: number;
  readonly count: number;
  readonly rows: readonly RegisterRow[];
}

/**
 * Groups rows into as few reads as the map allows: never across a hole (some meters refuse, others answer
 * zeros), never more than `maxRegisters`, never through the middle of a value.
 */
export function planReads(rows: readonly RegisterRow[], maxRegisters: number): readonly Block[] {
  const blocks: Block[] = [];
  for (const row of rows.toSorted((a, b) => a.table.localeCompare(b.table) || a.address - b.address)) {
    const last = blocks.at(-1);
    const joined = last && join(last, row);
    if (joined && joined.count <= maxRegisters) blocks[blocks.length - 1] = joined;
    else blocks.push({ table: row.table, address: row.address, count: registersOf(row.type), rows: [row] });
  }
  return blocks;
}

/** The block with the row, or undefined when a gap or another table is in between. */
function join(block: Block, row: RegisterRow): Block | undefined {
  if (block.table !== row.table || row.address > block.address + block.count) return undefined;
  const end = Math.max(block.address + block.count, row.address + registersOf(row.type));
  return { ...block, count: end - block.address, rows: [...block.rows, row] };
}
