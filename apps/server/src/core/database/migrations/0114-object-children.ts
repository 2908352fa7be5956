/**
 * Nodes of a company are found by their ids, not by reading all of the company: on a table without statistics, as it is
 * after a first import, the policy of the company was taken for the better index. The check of a removed node and the
 * counters above a new thing then took a time that grew with the company, so an import or its undo took its square.
 */
export default {
  name: "0114-object-children",
  up: /* sql */ `
-- Both columns of the reference to the parent.
drop index object_node_children;
create index object_node_children on object_node (parent_id, company_id, sort, id);

-- Adds to the counters of these nodes and of all above them.
create or replace function object_count(nodes int[], d int[], g int[], s int[]) returns void language sql as $$
  with recursive up as (
    select n.id, n.parent_id, t.d, t.g, t.s, true as is_own
    from unnest(nodes, d, g, s) as t (id, d, g, s)
      cross join lateral (select id, parent_id from object_node where id = t.id offset 0) n
    union all
    select n.id, n.parent_id, up.d, up.g, up.s, false
    from up cross join lateral (select id, parent_id from object_node where id = up.parent_id offset 0) n
  ), changed as (
    select id, sum(d) filter (where is_own) as d, sum(g) filter (where is_own) as g, sum(s) filter (where is_own) as s,
      sum(d) filter (where not is_own) as db, sum(g) filter (where not is_own) as gb, sum(s) filter (where not is_own) as sb
    from up group by id
  )
  update object_node n set devices = devices + coalesce(c.d, 0), gateways = gateways + coalesce(c.g, 0),
    base_stations = base_stations + coalesce(c.s, 0), devices_below = devices_below + coalesce(db, 0),
    gateways_below = gateways_below + coalesce(gb, 0), base_stations_below = base_stations_below + coalesce(sb, 0)
  from changed c where c.id = n.id and n.id = any(array(select id from changed))
$$;

-- Adds to the counters of points of these nodes and of all above them.
create or replace function object_count_points(nodes int[], n int[]) returns void language sql as $$
  with recursive up as (
    select o.id, o.parent_id, t.n, true as is_own from unnest(nodes, n) as t (id, n)
      cross join lateral (select id, parent_id from object_node where id = t.id offset 0) o
    union all
    select o.id, o.parent_id, up.n, false
    from up cross join lateral (select id, parent_id from object_node where id = up.parent_id offset 0) o
  ), changed as (
    select id, coalesce(sum(n) filter (where is_own), 0) as own, coalesce(sum(n) filter (where not is_own), 0) as below
    from up group by id
  )
  update object_node o set points = points + own, points_below = points_below + below
  from changed c where c.id = o.id and o.id = any(array(select id from changed))
$$;
`,
};
