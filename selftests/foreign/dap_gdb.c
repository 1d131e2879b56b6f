// SPDX-License-Identifier: GPL-2.0
/* What gdb debugs for dap_gdb.py. */
#include <stdio.h>

int value;

static int twice(int x)
{
	int y = x * 2;

	value = y;	/* breakpoint */
	return y;
}

int main(void)
{
	int i, sum = 0;

	for (i = 0; i < 3; i++)
		sum += twice(i);
	return sum != 6;
}
