/** Nodes that have children: the levels of a branch are counted without reading its leaves. */
export default {
  name: "0091-object-levels",
  up: /* sql */ `
create index object_node_inner on object_node (parent_id) where childs_count > 0;
`,
};
