# SPDX-License-Identifier: GPL-2.0
#
# y = a * x + y, 16 elements at a time. Uniforms: address of x, address of y, a, how many
# times 16 elements.
	shl r1, elem_num, 2
	mov r0, unif
	add ra0, r0, r1			# x, an element each
	mov ra2, unif			# y
	mov rb0, unif
	mov ra3, unif
	add ra1, ra2, r1		# y, an element each
	mov r0, vpm_setup(0, 1, h32(0))
	add rb1, r0, qpu_num		# a row of the VPM for every QPU
	mov r0, vdw_setup_0(1, 16, dma_h32(0, 0))
	mov r1, qpu_num
	shl r1, r1, 7
	add rb2, r0, r1			# and its way to memory
	ldi rb3, 64
:loop
	mov t0s, ra0
	mov t1s, ra1
	add ra0, ra0, rb3
	add ra1, ra1, rb3; ldtmu0
	fmul r0, r4, rb0; ldtmu1
	fadd r0, r0, r4
	mov -, mutex_acq
	mov vw_setup, rb1
	mov vpm, r0
	mov vw_setup, rb2
	mov vw_addr, ra2
	mov -, vw_wait
	mov mutex_rel, 0
	sub.setf ra3, ra3, 1
	brr.anynz -, :loop
	add ra2, ra2, rb3
	nop
	nop
	thrend
	nop
	nop
