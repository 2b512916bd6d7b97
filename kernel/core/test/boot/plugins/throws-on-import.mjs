throw new Error('no printer')
