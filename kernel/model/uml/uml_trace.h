/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tracepoint of register accesses.
 */
#if !defined(VS_UML_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define VS_UML_TRACE_H

#include <linux/tracepoint.h>

#undef TRACE_SYSTEM
#define TRACE_SYSTEM vshader_model
#define TRACE_INCLUDE_FILE uml_trace

TRACE_EVENT(vshader_model_access,
	    TP_PROTO(const char *name, u32 offset, u32 value, bool write),
	    TP_ARGS(name, offset, value, write),
	    TP_STRUCT__entry(__array(char, name, 32)
			     __field(u32, offset)
			     __field(u32, value)
			     __field(bool, write)),
	    TP_fast_assign(strscpy(__entry->name, name, sizeof(__entry->name));
			   __entry->offset = offset;
			   __entry->value = value;
			   __entry->write = write;),
	    TP_printk("%s %s offset=0x%04x value=0x%08x", __entry->write ? "write" : "read",
		      __entry->name, __entry->offset, __entry->value));

#endif /* VS_UML_TRACE_H */

/* This part must be outside protection. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#include <trace/define_trace.h>
