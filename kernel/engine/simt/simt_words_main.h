/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Vector fast path of LD and ST: one 32-bit word per lane, at a 32-bit offset from a common base.
 * Included by simt_lanes_main.h, once per vector width; the entry point is simt_words().
 *
 * One pass over the offsets checks bounds and classifies the access pattern; a routine for the
 * pattern then moves the words. Lanes out of bounds end the fast path, before anything is moved
 * for their block: the caller's slow path finds the faulting lane.
 *
 * Bounds are enforced a second time by data dependency, min() with the limit without a branch,
 * so that speculation cannot bypass them (Spectre v1).
 */

/*
 * Access patterns of a block: out of bounds or unknown, one address for all lanes, consecutive
 * words in ascending or descending order of lanes, rows or one address in each part of eight
 * lanes, the same at equal distances, others.
 */
enum words { WORDS_BAD, WORDS_SAME, WORDS_ROW, WORDS_BACK, WORDS_PARTS, WORDS_GRID, WORDS_ANY };

/* ---- masks ---- */

/* Vector mask of the lanes of @mask from lane @l on. */
static __always_inline vm m_lanes(u64 mask, u32 l)
{
#if VS_W == 16
	return mask >> l;
#else
	return active(mask, l);
#endif
}

/* Return: any lane of the vector at lane @l is in @mask. */
static __always_inline bool some_lanes(u64 mask, u32 l)
{
	return mask >> l & SIMT_VEC_LANES;
}

/* Return: all lanes of the vector at lane @l are in @mask. */
static __always_inline bool all_lanes(u64 mask, u32 l)
{
	return (mask >> l & SIMT_VEC_LANES) == SIMT_VEC_LANES;
}

/* ---- classification ---- */

/* Return: the 64 offsets descend by one word per lane. */
static __always_inline bool is_back(const u32 *off)
{
	vi row = i_sub(splat_i(off[0]), row_offsets(4)), step = splat_i(4 * VS_W);
	vm stray = M_NONE;
	u32 l;

	VS_UNROLL(4)
	for (l = 0; l < SIMT_LANES; l += VS_W, row = i_sub(row, step))
		stray |= m_icmp(SIMT_NE, ld_i(off + l), row);
	return m_none(stray);
}

/*
 * Check the bounds and classify any pattern, in one pass. @all: all lanes are active; @wide: the
 * high words @hi of the offsets must be w->high.
 */
static __always_inline enum words classify_any(const struct simt_words *w, const u32 *off,
					       const u32 *hi, const bool all, const bool wide)
{
	u32 first = all ? 0 : __ffs64(w->mask), from = off[first] + w->add, l;
	vi row = i_add(row_offsets(4), splat_i(from - 4 * first)), same = splat_i(from);
	vi step = splat_i(4 * VS_W), limit = splat_i(w->limit), add = splat_i(w->add);
	vm bad = M_NONE, stray = M_NONE, others = M_NONE;
	vi high = splat_i(w->high);

	VS_UNROLL(4)
	for (l = 0; l < SIMT_LANES; l += VS_W, row = i_add(row, step)) {
		vi v;
		vm on;

		if (!all && !some_lanes(w->mask, l))
			continue;
		v = i_add(ld_i(off + l), add);
		on = m_lanes(w->mask, l);
		if (all) {
			bad |= m_ucmp(SIMT_GT, v, limit);
			stray |= m_icmp(SIMT_NE, v, row);
			others |= m_icmp(SIMT_NE, v, same);
			if (wide)
				bad |= m_icmp(SIMT_NE, ld_i(hi + l), high);
		} else {
			bad |= m_ucmp(SIMT_GT, v, limit) & on;
			stray |= m_icmp(SIMT_NE, v, row) & on;
			others |= m_icmp(SIMT_NE, v, same) & on;
			if (wide)
				bad |= m_icmp(SIMT_NE, ld_i(hi + l), high) & on;
		}
	}
	if (!m_none(bad))
		return WORDS_BAD;
	if (m_none(stray))
		return WORDS_ROW;
	if (m_none(others))
		return WORDS_SAME;
	return all && VS_W != 1 && is_back(off) ? WORDS_BACK : WORDS_ANY;
}

/* ---- WORDS_ROW, WORDS_BACK ---- */

#if VS_W != 1
typedef vi vi_any __attribute__((may_alias)) __aligned(1);
#endif

/* Load the vector at lane @l for the lanes of @mask; memory of others is not read. */
static __always_inline void load_some(u32 *d, const u8 *p, u64 mask, u32 l)
{
#if VS_W == 16
	vi v;

	__asm__("vmovdqu32 %1, %0%{%2%}%{z%}"
		: "=v"(v) : "m"(*(const vi_any *)p), "Yk"((vm)(mask >> l)));
	__asm__("vmovdqa32 %1, %0%{%2%}"
		: "+m"(*(vi *)d) : "v"(v), "Yk"((vm)(mask >> l)));
#else
	u32 i;

#if VS_W == 8
	/*
	 * QEMU's emulation reads the words of all lanes: they have to be in one page, that of an
	 * active lane.
	 */
	if (((unsigned long)p & 0xfff) <= 0x1000 - sizeof(vi)) {
		vi on = active(mask, l), v;

		__asm__("vpmaskmovd %1, %2, %0" : "=x"(v) : "m"(*(const vi_any *)p), "x"(on));
		st_i(d, m_sel(on, v, ld_i(d)));
		return;
	}
#endif
	for (i = 0; i < VS_W; i++) {
		if (mask >> (l + i) & 1)
			memcpy(d + i, p + 4 * i, 4);
	}
#endif
}

/*
 * Store the lanes of mask @on in runs of 4, 2 and 1 words: masked stores of AVX2 are slow on some
 * processors.
 */
static __always_inline void store_pieces(u8 *p, const u32 *s, u32 on)
{
	u32 i;

	if (on & (on + 1)) {
		for (; on; on &= on - 1) {
			i = __builtin_ctz(on);
			memcpy(p + 4 * i, s + i, 4);
		}
		return;
	}
	/* a prefix of the vector */
	for (i = 4; i; i /= 2) {
		if (!(on >> (i - 1) & 1))
			continue;
		memcpy(p, s, 4 * i);
		on >>= i;
		p += 4 * i;
		s += i;
	}
}

/* Store the lanes of @mask of the vector at lane @l; memory of others is not written. */
static __always_inline void store_some(u8 *p, const u32 *s, u64 mask, u32 l)
{
#if VS_W == 16
	__asm__("vmovdqu32 %1, %0%{%2%}"
		: "+m"(*(vi_any *)p) : "v"(ld_i(s)), "Yk"((vm)(mask >> l)));
#else
	store_pieces(p, s, mask >> l & SIMT_VEC_LANES);
#endif
}

/* Copy a whole vector; the compiler would split a memcpy() of it. */
static __always_inline void copy_vector(void *to, const void *from)
{
#if VS_W == 1
	memcpy(to, from, 4);
#else
	*(vi_any *)to = *(const vi_any *)from;
#endif
}

/* Move the words of the vector at lane @l; @p: word of lane 0. */
static __always_inline void move_vector(const struct simt_words *w, u8 *p, u32 *slot, u32 l,
					const bool all)
{
	if (all || all_lanes(w->mask, l)) {
		if (w->store)
			copy_vector(p + 4 * l, slot + l);
		else
			copy_vector(slot + l, p + 4 * l);
	} else if (some_lanes(w->mask, l)) {
		if (w->store)
			store_some(p + 4 * l, slot + l, w->mask, l);
		else
			load_some(slot + l, p + 4 * l, w->mask, l);
	}
}

/* Move a row of one block; @p: word of lane 0. */
static __always_inline void move_row(const struct simt_words *w, u8 *p, u32 *slot, const bool all)
{
	u32 l;

	VS_UNROLL(4)
	for (l = 0; l < SIMT_LANES; l += VS_W)
		move_vector(w, p, slot, l, all);
}

/* Move rows of all blocks in step, vector by vector: the mask is tested once for all blocks. */
static __always_inline void move_rows(const struct simt_words *w, u8 *p, u32 *slot, const bool all)
{
	u32 l, k;

	for (l = 0; l < SIMT_LANES; l += VS_W) {
		if (!all && !some_lanes(w->mask, l))
			continue;
		for (k = 0; k < w->n; k++)
			move_vector(w, p + k * w->p_gap, slot + (size_t)k * w->gap, l, all);
	}
}

/* Move a descending row of all lanes; @p: word of the last lane. */
static __always_inline void move_back(const struct simt_words *w, u8 *p, u32 *slot)
{
#if VS_W != 1
	u32 l;

	VS_UNROLL(4)
	for (l = 0; l < SIMT_LANES; l += VS_W) {
		vi_any *at = (vi_any *)(p + 4 * (SIMT_LANES - VS_W - l));

		if (w->store)
			*at = V_BACK(ld_i(slot + l));
		else
			st_i(slot + l, V_BACK(*at));
	}
#endif
}

/* ---- WORDS_SAME ---- */

/* Broadcast the word at @p to the active lanes. */
static __always_inline void load_one(const struct simt_words *w, const u8 *p, u32 *slot)
{
	u32 v, l;
	vi r;

	memcpy(&v, p, 4);
	r = splat_i(v);
	for (l = 0; l < SIMT_LANES; l += VS_W) {
		if (all_lanes(w->mask, l))
			st_i(slot + l, r);
		else if (some_lanes(w->mask, l))
			st_i(slot + l, m_sel(m_lanes(w->mask, l), r, ld_i(slot + l)));
	}
}

/* Stores take effect in the order of lanes: the last lane's word remains. */
static __always_inline void move_one(const struct simt_words *w, u8 *p, u32 *slot)
{
	if (w->store)
		memcpy(p, slot + 63 - __builtin_clzll(w->mask), 4);
	else
		load_one(w, p, slot);
}

/* ---- WORDS_ANY ---- */

/* Pointer to the word at an offset, clamped to the bounds. */
static __always_inline u8 *word_at(const struct simt_words *w, u8 *p, u32 off)
{
	return p + min(off + w->add, w->limit);
}

/* Move lane by lane, in their order. */
static __always_inline void move_each(const struct simt_words *w, u8 *p, const u32 *off, u32 *slot)
{
	u64 m;
	u32 l;

	for (m = w->mask; m; m &= m - 1) {
		l = __ffs64(m);
		if (w->store)
			memcpy(word_at(w, p, off[l]), slot + l, 4);
		else
			memcpy(slot + l, word_at(w, p, off[l]), 4);
	}
}

#if VS_W >= 8

/* Gather PART lanes; the instruction takes signed offsets, hence w->limit below 2 GiB. */
static __always_inline part_vec gather_part(const struct simt_words *w, const u8 *p, const u32 *off)
{
	part_vec at = *(const part_vec *)off + ((s32)w->add - (part_vec){}), v = {}, on = ~v;
	part_vec limit = (s32)w->limit - (part_vec){};

	__asm__("vpminud %1, %0, %0" : "+x"(at) : "x"(limit));
	__asm__ volatile("vpgatherdd %1, (%2,%3), %0"
			 : "+x"(v), "+x"(on) : "r"(p), "x"(at) : "memory");
	return v;
}

#endif

/*
 * Load all lanes by parts of PART lanes: within a part the offsets are often equal or a row, for
 * example if a row of the workgroup is eight threads long.
 */
static __always_inline void load_parts(const struct simt_words *w, u8 *p, const u32 *off, u32 *d)
{
#if VS_W == 1
	move_each(w, p, off, d);
#else
	part_vec row = {};
	u32 i, l;

	for (i = 0; i < PART; i++)
		row[i] = 4 * i;
	for (l = 0; l < SIMT_LANES; l += PART) {
		const u8 *at = word_at(w, p, off[l]);
		part_vec diff = *(const part_vec *)(off + l) - ((s32)off[l] - (part_vec){});

		if (part_zero(diff)) {
			s32 v;

			memcpy(&v, at, 4);
			*(part_vec *)(d + l) = v - (part_vec){};
		} else if (part_zero(diff ^ row)) {
			*(part_vec *)(d + l) = *(const part_vec_u *)at;
#if VS_W >= 8
		} else if (w->limit <= 0x7fffffff) {
			*(part_vec *)(d + l) = gather_part(w, p, off + l);
#endif
		} else {
			for (i = l; i < l + PART; i++)
				memcpy(d + i, word_at(w, p, off[i]), 4);
		}
	}
#endif
}

static __always_inline void move_any(const struct simt_words *w, u8 *p, const u32 *off, u32 *slot)
{
	if (!w->store && w->mask == ~0ULL)
		load_parts(w, p, off, slot);
	else
		move_each(w, p, off, slot);
}

/* ---- bounds of rows ---- */

/*
 * Pointer to the word of lane 0 of a row, clamped so that the words of all active lanes are in
 * bounds; lane 0 may be inactive and out of bounds. @from: offset of the first active lane.
 */
static __always_inline u8 *row_start(const struct simt_words *w, u8 *p, u32 from)
{
	u32 first = __ffs64(w->mask), last = 63 - __builtin_clzll(w->mask);
	u32 span = min(4 * (last - first), w->limit);

	return p + min(from, w->limit - span) - 4 * first;
}

/* Pointer to the last lane's word of a descending row, clamped likewise. */
static __always_inline u8 *row_end(const struct simt_words *w, u8 *p, u32 from)
{
	u32 span = min(4U * (SIMT_LANES - 1), w->limit);

	return p + min(from - 4 * (SIMT_LANES - 1), w->limit - span);
}

/* Return: v[l] is @from + l * @by for all lanes l of @mask. */
static __always_inline bool is_series(u64 mask, const u32 *v, u32 from, u32 by, const bool all)
{
	vi row = i_add(row_offsets(by), splat_i(from)), step = splat_i(by * VS_W);
	vm stray = M_NONE;
	u32 l;

	VS_UNROLL(4)
	for (l = 0; l < SIMT_LANES; l += VS_W, row = i_add(row, step)) {
		if (all)
			stray |= m_icmp(SIMT_NE, ld_i(v + l), row);
		else if (some_lanes(mask, l))
			stray |= m_icmp(SIMT_NE, ld_i(v + l), row) & m_lanes(mask, l);
	}
	return m_none(stray);
}

/* Return: a row in bounds. The most frequent pattern, and the fastest check. */
static __always_inline bool is_row(const struct simt_words *w, const u32 *off, const bool all)
{
	u32 first = all ? 0 : __ffs64(w->mask), last = all ? 63 : 63 - __builtin_clzll(w->mask);
	u32 from = off[first], at = from + w->add, span = 4 * (last - first);

	if (at > w->limit || span > w->limit - at || off[last] - from != span)
		return false;
	return is_series(w->mask, off, from - 4 * first, 4, all);
}

/* Offset of the word with index @number; negative: it may be out of bounds. */
static __always_inline s64 index_at(const struct simt_words *w, u32 number)
{
	/* no overflow, whether indices are signed or not */
	return number <= 0x1fffffff ? ((s64)number << 2) + (s32)w->add : -1;
}

/* Return: indices of words that ascend by one per lane, in bounds. */
static __always_inline bool is_index_row(const struct simt_words *w, const u32 *off, const bool all)
{
	u32 first = all ? 0 : __ffs64(w->mask), last = all ? 63 : 63 - __builtin_clzll(w->mask);
	u32 from = off[first], span = 4 * (last - first);
	s64 at = index_at(w, from);

	if (at < 0 || at > w->limit || span > w->limit - at || off[last] - from != last - first)
		return false;
	return is_series(w->mask, off, from - first, 1, all);
}

#if VS_W >= 8

static __always_inline part_vec part_max(part_vec a, part_vec b)
{
	__asm__("vpmaxud %1, %0, %0" : "+x"(a) : "x"(b));
	return a;
}

/*
 * Return: parts of PART lanes are rows, or one address each, at equal distances and in bounds, as
 * those of a workgroup that is PART threads wide.
 */
static __always_inline bool is_grid(const struct simt_words *w, const u32 *off)
{
	const u32 last = SIMT_LANES - PART, parts = SIMT_LANES / PART;
	const u32 by = off[PART] - off[0], unit = w->index ? 1 : 4, step = off[1] - off[0];
	s64 from = w->index ? index_at(w, off[0]) : off[0] + w->add;
	s64 to = w->index ? index_at(w, off[last]) : off[last] + w->add;
	s64 most = (s64)w->limit - (step ? 4 * (PART - 1) : 0);
	part_vec row = { 0, 1, 2, 3, 4, 5, 6, 7 }, stray, v, next;
	u32 l;

	if ((step && step != unit) || from < 0 || to < 0 || from > most || to > most ||
	    /* no distance wraps around */
	    from + (s64)(s32)by * (4 / unit) * (parts - 1) != to)
		return false;
	v = *(const part_vec *)off;
	stray = (v - ((s32)off[0] - (part_vec){})) ^ (row * ((s32)step - (part_vec){}));
	VS_UNROLL(8)
	for (l = PART; l < SIMT_LANES; l += PART, v = next) {
		next = *(const part_vec *)(off + l);
		stray |= (next - v) ^ ((s32)by - (part_vec){});
	}
	return part_zero(stray);
}

/* Move a row of PART words, or one word for all its lanes; @at: the first word, @slot its lane. */
static __always_inline void move_part(const struct simt_words *w, u8 *at, u32 *slot,
				      const bool same)
{
	if (same && w->store)
		memcpy(at, slot + PART - 1, 4);
	else if (same)
		*(part_vec *)slot = *(const s32 *)at - (part_vec){};
	else if (w->store)
		*(part_vec_u *)at = *(const part_vec *)slot;
	else
		*(part_vec *)slot = *(const part_vec_u *)at;
}

/* Move such parts, in the order of lanes. */
static __always_inline void move_grid(const struct simt_words *w, u8 *p, const u32 *off, u32 *slot)
{
	const u32 shift = w->index ? 2 : 0;
	const bool same = off[0] == off[1];
	u32 most = w->limit - min(same ? 0 : 4U * (PART - 1), w->limit), l;
	u32 from = (off[0] << shift) + w->add, by = (off[PART] - off[0]) << shift;

	/* as in first_offset() */
	__asm__("" : "+r"(from), "+r"(by));
	VS_UNROLL(8)
	for (l = 0; l < SIMT_LANES; l += PART, from += by)
		move_part(w, p + min(from, most), slot + l, same);
}

/* Return: parts of PART lanes are all rows in bounds, or all have one address in bounds each. */
static __always_inline bool is_parts(const struct simt_words *w, const u32 *off)
{
	const bool same = off[0] == off[1];
	part_vec row = { 0, 1, 2, 3, 4, 5, 6, 7 }, stray = {}, most = {}, from, bias;
	/* the first offset of a part is at least @low, and at most @low + @room */
	s64 add = (s32)w->add, room = (s64)w->limit - (same ? 0 : 4 * (PART - 1)), low = -add;
	u32 l;

	if (w->index) {
		low = add < 0 ? (3 - add) / 4 : 0;
		room = min_t(s64, room < add ? -1 : (room - add) / 4, 0x1fffffff) - low;
	}
	if (room < 0)
		return false;
	row *= (same ? 0 : w->index ? 1 : 4) - (part_vec){};
	bias = (s32)low - (part_vec){};
	/* a vector: the compiler would subtract from each word before it broadcasts it */
	__asm__("" : "+x"(bias));
	VS_UNROLL(2)
	for (l = 0; l < SIMT_LANES; l += PART) {
		from = (s32)off[l] - (part_vec){};
		stray |= (*(const part_vec *)(off + l) - from) ^ row;
		most = part_max(most, from - bias);
	}
	return part_zero(stray) && (u32)most[0] <= room;
}

/* Move such parts, in the order of lanes. */
static __always_inline void move_parts(const struct simt_words *w, u8 *p, const u32 *off, u32 *slot)
{
	const bool same = off[0] == off[1];
	u32 most = w->limit - min(same ? 0 : 4U * (PART - 1), w->limit), from, l;

	for (l = 0; l < SIMT_LANES; l += PART) {
		from = (w->index ? off[l] << 2 : off[l]) + w->add;
		/* as in first_offset() */
		__asm__("" : "+r"(from));
		move_part(w, p + min(from, most), slot + l, same);
	}
}

#else

static __always_inline bool is_grid(const struct simt_words *w, const u32 *off)
{
	return false;
}

static __always_inline void move_grid(const struct simt_words *w, u8 *p, const u32 *off, u32 *slot)
{
}

static __always_inline bool is_parts(const struct simt_words *w, const u32 *off)
{
	return false;
}

static __always_inline void move_parts(const struct simt_words *w, u8 *p, const u32 *off, u32 *slot)
{
}

#endif

/* Check the bounds and classify, the cheap tests first. */
static __always_inline enum words classify(const struct simt_words *w, const u32 *off,
					   const u32 *hi, const bool all)
{
	if (w->same)
		return off[0] + w->add > w->limit ? WORDS_BAD : WORDS_SAME;
	if (w->hi)
		return classify_any(w, off, hi, all, true);
	if (w->index ? is_index_row(w, off, all) : is_row(w, off, all))
		return WORDS_ROW;
	if (all && is_grid(w, off))
		return WORDS_GRID;
	if (all && is_parts(w, off))
		return WORDS_PARTS;
	return w->index ? WORDS_BAD : classify_any(w, off, hi, all, false);
}

/* ---- blocks ---- */

/* Offset in bytes of the first active lane, which rows and single addresses are made of. */
static __always_inline u32 first_offset(const struct simt_words *w, const u32 *off, const bool all)
{
	u32 from = off[w->same || all ? 0 : __ffs64(w->mask)];

	from = (w->index ? from << 2 : from) + w->add;
	/* hide it from the compiler, which would drop min() as implied by the checks */
	__asm__("" : "+r"(from));
	return from;
}

/* Move the words of one block. */
static __always_inline void move_block(const struct simt_words *w, enum words how, u8 *p,
				       const u32 *off, u32 *slot, const bool all)
{
	u32 from = first_offset(w, off, all);

	if (how == WORDS_ROW)
		move_row(w, row_start(w, p, from), slot, all);
	else if (how == WORDS_SAME)
		move_one(w, p + min(from, w->limit), slot);
	else if (how == WORDS_BACK)
		move_back(w, row_end(w, p, from), slot);
	else if (how == WORDS_GRID)
		move_grid(w, p, off, slot);
	else if (how == WORDS_PARTS)
		move_parts(w, p, off, slot);
	else
		move_any(w, p, off, slot);
}

/* Only one lane is active, as at the end of a reduction. Return: blocks done. */
static __always_inline u32 move_single(const struct simt_words *w)
{
	const u32 lane = __ffs64(w->mask), *off = w->off + (w->same ? 0 : lane);
	const u32 *hi = w->hi ? w->hi + lane : NULL;
	u32 *slot = w->slot + lane, k, at;
	u8 *p = w->p;

	for (k = 0; k < w->n; k++) {
		if (w->index && index_at(w, *off) < 0)
			break;
		at = (w->index ? *off << 2 : *off) + w->add;
		if (at > w->limit || (hi && *hi != w->high))
			break;
		__asm__("" : "+r"(at));
		if (w->store)
			memcpy(p + min(at, w->limit), slot, 4);
		else
			memcpy(slot, p + min(at, w->limit), 4);
		off += w->off_gap;
		if (hi)
			hi += w->hi_gap;
		slot += w->gap;
		p += w->p_gap;
	}
	return k;
}

/*
 * Move the words of all blocks. Return: blocks done. @w is a local copy: the compiler knows that
 * stores do not change it.
 */
static __always_inline u32 move_blocks(const struct simt_words *w, const bool all)
{
	const bool each = w->off_gap || w->hi_gap;
	const u32 *off = w->off, *hi = w->hi;
	u32 *slot = w->slot, k;
	enum words how = classify(w, off, hi, all);
	u8 *p = w->p;

	if (how == WORDS_BAD)
		return 0;
	if (!each && how == WORDS_ROW) {
		move_rows(w, row_start(w, p, first_offset(w, off, all)), slot, all);
		return w->n;
	}
	for (k = 0; k < w->n; k++) {
		if (k && each)
			how = classify(w, off, hi, all);
		if (how == WORDS_BAD)
			return k;
		move_block(w, how, p, off, slot, all);
		off += w->off_gap;
		hi += w->hi_gap;
		slot += w->gap;
		p += w->p_gap;
	}
	return k;
}

/* Instances for all lanes and for masks, separately for loads and stores. */
static noinline u32 load_blocks(const struct simt_words *w)
{
	struct simt_words c = *w;

	c.store = false;
	if (!(c.mask & (c.mask - 1)))
		return move_single(&c);
	return c.mask == ~0ULL ? move_blocks(&c, true) : move_blocks(&c, false);
}

static noinline u32 store_blocks(const struct simt_words *w)
{
	struct simt_words c = *w;

	c.store = true;
	if (!(c.mask & (c.mask - 1)))
		return move_single(&c);
	return c.mask == ~0ULL ? move_blocks(&c, true) : move_blocks(&c, false);
}

u32 LANES_ENTRY(words)(const struct simt_words *w)
{
	return w->store ? store_blocks(w) : load_blocks(w);
}
